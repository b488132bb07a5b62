#include "physics/climate/moisture.hpp"

#include "physics/climate/belts.hpp"
#include "physics/climate/gradient.hpp"

namespace craton::climate {

namespace {

constexpr double seconds_per_day = 86400.0;
constexpr double slope_speed_m_s = 0.04;  // lift that raises F by e
constexpr double slope_exponent_limit = 1.2;
constexpr double thermal_exponent_limit = 1.2;
constexpr double reference_dryness = 0.25;  // 1 - relative humidity at which the energy limit is reckoned

// What a cell and month does with its vapour, from the current column of all months.
struct Exchange {
  double wet[months];
  double rain_coefficient[months];  // P / W, s-1
};

KOKKOS_INLINE_FUNCTION Exchange exchange_of(const double* vapour, const double* saturation, const double* exchange,
                                            const double* rain_rate, double land) {
  Exchange x;
  double annual = 0;
  for (int m = 0; m < months; ++m) {
    const double humidity = vapour[m] / saturation[m];
    x.rain_coefficient[m] = rain_rate[m] * humidity * humidity * humidity * humidity;
    annual += x.rain_coefficient[m] * vapour[m] / months;
  }
  for (int m = 0; m < months; ++m) {
    const double potential = std::fmax(exchange[m] * (saturation[m] - vapour[m]), 0.0);
    const double supply = 0.5 * (annual + x.rain_coefficient[m] * vapour[m]);
    const double from_land = supply > 0 ? supply / (supply + potential) : 0.0;
    x.wet[m] = 1.0 - land * (1.0 - from_land);
  }
  return x;
}

}  // namespace

MoistureBalance::MoistureBalance(const Mesh& mesh, const config::Planet& planet, const config::Climate& climate,
                                 const MoistureInput& input, const MonthlyLatitude& thermal_equator)
    : mesh_(mesh),
      neighbour_("craton::climate::vapour_neighbour", static_cast<std::size_t>(mesh.n_owned())),
      inflow_("craton::climate::vapour_inflow", static_cast<std::size_t>(mesh.n_owned()) * 6 * months),
      outflow_("craton::climate::vapour_outflow", static_cast<std::size_t>(mesh.n_owned()) * months),
      saturation_("craton::climate::vapour_saturation", static_cast<std::size_t>(mesh.n_owned()) * months),
      exchange_("craton::climate::vapour_exchange", static_cast<std::size_t>(mesh.n_owned()) * months),
      rain_rate_("craton::climate::vapour_rain_rate", static_cast<std::size_t>(mesh.n_owned()) * months),
      land_(input.land_fraction) {
  const auto channel = [](const Array<double>& a, std::size_t components) {
    return par::Channel{a.data(), a.data(), components * sizeof(double)};
  };
  const par::Channel channels[] = {channel(input.height_m, 1), channel(input.wind_east_m_s, months),
                                   channel(input.wind_north_m_s, months)};
  mesh.refresh_halo(channels);
  set_local(planet, climate, input, thermal_equator);
  set_transport(planet, climate, input);
}

void MoistureBalance::set_local(const config::Planet& planet, const config::Climate& climate,
                                const MoistureInput& input, const MonthlyLatitude& thermal_equator) {
  const GradientGeometry geometry(mesh_);
  const auto saturation = saturation_, exchange = exchange_, rain_rate = rain_rate_;
  const double width = belt_width_rad(planet, climate), scale_height = climate.vapour_height_m;
  const double lapse = climate.lapse_rate_k_m, transfer = climate.evaporation_coefficient, gust = climate.gust_m_s;
  const double rate = 1.0 / (climate.rain_time_days * seconds_per_day), strength = climate.ascent_strength;
  const double convection = climate.convection_per_k;
  const double sun_share = (1.0 - climate.albedo_base) / constants::latent_heat_vaporisation_j_kg;
  for_cells(
      "craton::climate.moisture::set_columns", mesh_.n_owned(), KOKKOS_LAMBDA(LocalId c) {
        const GradientWeights w = geometry.weights(c);
        double slope_east = 0, slope_north = 0;
        for (int s = 0; s < 6; ++s) {
          const LocalId other = geometry.neighbours(c, s);
          if (other == no_cell) continue;
          slope_east += w.east[s] * (input.height_m(other) - input.height_m(c));
          slope_north += w.north[s] * (input.height_m(other) - input.height_m(c));
        }
        const double latitude = to_lon_lat(geometry.position(c)).lat_rad;
        const double energy_limit = sun_share * input.annual_insolation_w_m2(c);
        for (int m = 0; m < months; ++m) {
          const LocalId k = c * months + m;
          const double u = input.wind_east_m_s(k), v = input.wind_north_m_s(k);
          const double full =
              scale_height * saturation_density_kg_m3(input.temperature_c(k) - lapse * input.height_m(c));
          const double bulk = transfer * (std::sqrt(u * u + v * v) + gust) / scale_height;
          const double demand = bulk * reference_dryness * full;
          saturation(k) = full;
          exchange(k) = bulk * energy_limit / (energy_limit + demand);
          const double lift = (u * slope_east + v * slope_north) / slope_speed_m_s;
          const double slope_part = std::fmin(slope_exponent_limit, std::fmax(-slope_exponent_limit, lift));
          const double thermal_part =
              std::fmin(thermal_exponent_limit, std::fmax(-thermal_exponent_limit, convection * input.anomaly_k(k)));
          const double ascent = belt_ascent(belt_latitude_rad(latitude, thermal_equator.rad[m]), width);
          rain_rate(k) = rate * std::exp(strength * ascent + slope_part + thermal_part);
        }
      });
}

void MoistureBalance::set_transport(const config::Planet& planet, const config::Climate& climate,
                                    const MoistureInput& input) {
  const auto position = mesh_.position();
  const auto area = mesh_.area_m2();
  const auto slots = mesh_.neighbours();
  const auto edge = mesh_.edge_m(), distance = mesh_.distance_m();
  const auto neighbour = neighbour_;
  const auto inflow = inflow_;
  const auto outflow = outflow_;
  const double width = belt_width_rad(planet, climate), storms = climate.eddy_diffusion_m2_s;
  const double scale_height = climate.vapour_height_m, wind_share = climate.vapour_wind_share;
  for_cells(
      "craton::climate.moisture::set_transport", mesh_.n_owned(), KOKKOS_LAMBDA(LocalId c) {
        const Vec3 p = position(c), east = east_at(p), north = north_at(p);
        for (int m = 0; m < months; ++m) outflow(c * months + m) = 0;
        for (int s = 0; s < 6; ++s) {
          const LocalId other = slots(c, s);
          neighbour(c, s) = other == no_cell ? c : other;
          for (int m = 0; m < months; ++m) inflow((c * 6 + s) * months + m) = 0;
          if (other == no_cell) continue;
          const Vec3 q = position(other), east_q = east_at(q), north_q = north_at(q);
          const Vec3 normal = normalized(q - p);
          const double per_area = static_cast<double>(edge(c, s)) / area(c);
          // Storms live poleward of the overturning cell; symmetric in the two cells, so that the flux is one number.
          const double z = 0.5 * std::fabs(p.z + q.z);
          const double storminess = std::fmin(1.0, std::fmax(0.0, (std::asin(std::fmin(z, 1.0)) / width - 0.4) / 0.6));
          const double k_eddy = storms * (1.0 + 2.0 * storminess) / 3.0;
          const double top = std::fmax(input.height_m(c), input.height_m(other));
          const double mix = per_area * k_eddy / static_cast<double>(distance(c, s));
          const double mix_out = mix * std::exp((input.height_m(c) - top) / scale_height);
          const double mix_in = mix * std::exp((input.height_m(other) - top) / scale_height);
          const double e_p = dot(east, normal), n_p = dot(north, normal), e_q = dot(east_q, normal),
                       n_q = dot(north_q, normal);
          for (int m = 0; m < months; ++m) {
            const LocalId i = c * months + m, j = other * months + m;
            const double here = input.wind_east_m_s(i) * e_p + input.wind_north_m_s(i) * n_p;
            const double there = input.wind_east_m_s(j) * e_q + input.wind_north_m_s(j) * n_q;
            const double speed = wind_share * 0.5 * (here + there);
            inflow((c * 6 + s) * months + m) = static_cast<float>(per_area * std::fmax(-speed, 0.0) + mix_in);
            outflow(i) += per_area * std::fmax(speed, 0.0) + mix_out;
          }
        }
      });
}

Array<double> MoistureBalance::first_guess() const {
  Array<double> vapour("craton::climate::vapour", static_cast<std::size_t>(mesh_.n_all()) * months);
  for (LocalId k = 0; k < mesh_.n_owned() * months; ++k) vapour(k) = 0.7 * saturation_(k);
  return vapour;
}

void MoistureBalance::relax(Array<double>& vapour_kg_m2, int sweeps) const {
  const auto neighbour = neighbour_;
  const auto inflow = inflow_;
  const auto outflow = outflow_, saturation = saturation_, exchange = exchange_, rain_rate = rain_rate_, land = land_;
  Array<double> other("craton::climate::vapour_next", vapour_kg_m2.extent(0));
  for (int k = 0; k < sweeps; ++k) {
    mesh_.refresh_halo(vapour_kg_m2, months);
    const Array<double> from = vapour_kg_m2, to = other;
    for_cells(
        "craton::climate.moisture::relax_vapour", mesh_.n_owned(), KOKKOS_LAMBDA(LocalId c) {
          const LocalId first = c * months;
          double arriving[months] = {};
          for (int s = 0; s < 6; ++s) {
            const double* w = &from(neighbour(c, s) * months);
            const float* rate = &inflow((c * 6 + s) * months);
            for (int m = 0; m < months; ++m) arriving[m] += static_cast<double>(rate[m]) * w[m];
          }
          const Exchange x =
              exchange_of(&from(first), &saturation(first), &exchange(first), &rain_rate(first), land(c));
          for (int m = 0; m < months; ++m) {
            // P(W) = P0 + 5 c (W - W0) with P0 = c W0, since P grows with the fifth power of W.
            const double evaporate = x.wet[m] * exchange(first + m), c_rain = x.rain_coefficient[m];
            to(first + m) = (arriving[m] + evaporate * saturation(first + m) + 4.0 * c_rain * from(first + m)) /
                            (outflow(first + m) + evaporate + 5.0 * c_rain);
          }
        });
    std::swap(vapour_kg_m2, other);
  }
}

void MoistureBalance::evaluate(const ConstArray<double>& vapour_kg_m2, const Array<double>& evaporation,
                               const Array<double>& rain) const {
  const auto saturation = saturation_, exchange = exchange_, rain_rate = rain_rate_, land = land_;
  for_cells(
      "craton::climate.moisture::evaluate_fluxes", mesh_.n_owned(), KOKKOS_LAMBDA(LocalId c) {
        const LocalId first = c * months;
        const Exchange x =
            exchange_of(&vapour_kg_m2(first), &saturation(first), &exchange(first), &rain_rate(first), land(c));
        for (int m = 0; m < months; ++m) {
          const double w = vapour_kg_m2(first + m);
          evaporation(first + m) = std::fmax(x.wet[m] * exchange(first + m) * (saturation(first + m) - w), 0.0);
          rain(first + m) = x.rain_coefficient[m] * w;
        }
      });
}

}  // namespace craton::climate
