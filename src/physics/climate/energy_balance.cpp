#include "physics/climate/energy_balance.hpp"

namespace craton::climate {

EnergyBalance::EnergyBalance(const Mesh& mesh, Coefficients coefficients, double capacity_floor_j_m2_k)
    : mesh_(mesh),
      coefficients_(coefficients),
      capacity_floor_(capacity_floor_j_m2_k),
      weight_("craton::climate::heat_weight", static_cast<std::size_t>(mesh.n_owned())),
      neighbour_("craton::climate::heat_neighbour", static_cast<std::size_t>(mesh.n_owned())),
      weight_sum_("craton::climate::heat_weight_sum", static_cast<std::size_t>(mesh.n_owned())),
      shift_("craton::climate::heat_shift", static_cast<std::size_t>(mesh.n_owned())),
      rhs_("craton::climate::heat_rhs", static_cast<std::size_t>(mesh.n_owned())),
      update_("craton::climate::heat_update", static_cast<std::size_t>(mesh.n_owned())),
      next_("craton::climate::heat_next", static_cast<std::size_t>(mesh.n_all())) {
  const double scale = coefficients.diffusion_w_m2_k * mesh.radius_m() * mesh.radius_m();
  const auto slots = mesh.neighbours();
  double largest = 0;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    double sum = 0;
    for (int s = 0; s < 6; ++s) {
      const LocalId other = slots(c, s);
      neighbour_(c, s) = other == no_cell ? c : other;
      // The sine of latitude at the edge: one number for both sides.
      const double x = other == no_cell ? 0.0 : 0.5 * (mesh.position()(c).z + mesh.position()(other).z);
      const double share = 1.0 - (1.0 - coefficients.pole_share) * x * x;
      weight_(c, s) = other == no_cell ? 0.0
                                       : scale * share * static_cast<double>(mesh.edge_m()(c, s)) /
                                             (static_cast<double>(mesh.distance_m()(c, s)) * mesh.area_m2()(c));
      sum += weight_(c, s);
    }
    weight_sum_(c) = sum;
    largest = std::max(largest, sum);
  }
  largest_weight_sum_ = mesh.comm().max(largest);
}

void EnergyBalance::solve(const Array<double>& x, double least_shift, double reduction) {
  // Jacobi-scaled spectrum lies in [a, 2 - a].
  const double a = least_shift / (least_shift + largest_weight_sum_);
  const double centre = 1.0, radius = 1.0 - a;
  const int iterations =
      std::max(3, static_cast<int>(std::ceil(0.5 * std::sqrt((2.0 - a) / a) * std::log(2.0 / reduction))));
  const auto weight = weight_;
  const auto neighbour = neighbour_;
  const auto weight_sum = weight_sum_, shift = shift_, rhs = rhs_, update = update_;
  Array<double> current = x, next = next_;
  double rho = 0;
  for (int k = 0; k < iterations; ++k) {
    mesh_.refresh_halo(current);
    // Chebyshev recurrence (Saad 2003, algorithm 12.1) for the scaled residual r: x += u, u = alpha u + beta r.
    const double sigma = centre / std::max(radius, 1e-12);
    const double old_rho = rho;
    rho = k == 0 ? 1.0 / sigma : 1.0 / (2.0 * sigma - old_rho);
    const double alpha = k == 0 ? 0.0 : rho * old_rho;
    const double beta = k == 0 ? 1.0 / centre : 2.0 * rho / std::max(radius, 1e-12);
    const Array<double> from = current, to = next;
    for_cells(
        "craton::climate.energy::relax_temperature", mesh_.n_owned(), KOKKOS_LAMBDA(LocalId c) {
          double flux = rhs(c);
          for (int s = 0; s < 6; ++s) flux += weight(c, s) * from(neighbour(c, s));
          const double diagonal = shift(c) + weight_sum(c);
          const double u = (k == 0 ? 0.0 : alpha * update(c)) + beta * (flux / diagonal - from(c));
          update(c) = u;
          to(c) = from(c) + u;
        });
    std::swap(current, next);
  }
  if (current.data() != x.data()) {
    const Array<double> from = current;
    for_cells(
        "craton::climate.energy::copy_temperature", mesh_.n_owned(), KOKKOS_LAMBDA(LocalId c) { x(c) = from(c); });
  }
}

void EnergyBalance::step(Array<double>& before_c, Array<double>& now_c, const ConstArray<double>& absorbed_w_m2,
                         const ConstArray<double>& capacity_j_m2_k, double dt_s) {
  // (3 T+ - 4 T + T-) / (2 dt) C = Q - A - B T+ + D lap T+; the first guess 2 T - T- is second order as well.
  const double a = coefficients_.outgoing_a_w_m2, b = coefficients_.outgoing_b_w_m2_k;
  const auto shift = shift_, rhs = rhs_;
  const Array<double> before = before_c, now = now_c;
  for_cells(
      "craton::climate.energy::set_step", mesh_.n_owned(), KOKKOS_LAMBDA(LocalId c) {
        const double rate = capacity_j_m2_k(c) / (2.0 * dt_s);
        shift(c) = 3.0 * rate + b;
        rhs(c) = absorbed_w_m2(c) - a + rate * (4.0 * now(c) - before(c));
        before(c) = 2.0 * now(c) - before(c);
      });
  solve(before_c, 1.5 * capacity_floor_ / dt_s + b, 0.01);
  std::swap(before_c, now_c);
}

void EnergyBalance::solve_steady(const Array<double>& temperature_c, const ConstArray<double>& absorbed_w_m2,
                                 double reduction) {
  const double a = coefficients_.outgoing_a_w_m2, b = coefficients_.outgoing_b_w_m2_k;
  const auto shift = shift_, rhs = rhs_;
  for_cells(
      "craton::climate.energy::set_steady", mesh_.n_owned(), KOKKOS_LAMBDA(LocalId c) {
        shift(c) = b;
        rhs(c) = absorbed_w_m2(c) - a;
      });
  solve(temperature_c, b, reduction);
}

}  // namespace craton::climate
