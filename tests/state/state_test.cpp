#include "state/state.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/hash.hpp"
#include "state/fields.hpp"
#include "state/monitor.hpp"
#include "state/pass.hpp"
#include "state/state_hash.hpp"

using namespace craton;

namespace {

par::Comm world() {
  return par::Comm(MPI_COMM_WORLD);
}

struct Planet {
  explicit Planet(const par::Comm& comm)
      : mesh(comm, 12, 6.4e6, 2),
        climate(comm, 6, 6.4e6, 1),
        state(mesh, climate,
              std::vector<FieldId>{fields::elevation_m.id, fields::plate.id, fields::air_temperature_c.id}) {}
  Mesh mesh, climate;
  State state;
};

void fill(State& state) {
  const Array<double> z = state.real(fields::elevation_m);
  const Array<std::int32_t> plate = state.integer(fields::plate);
  for (LocalId c = 0; c < state.mesh().n_owned(); ++c) {
    const auto id = static_cast<std::uint64_t>(raw(state.mesh().global(c)));
    z(c) = 1000 * uniform01(random_bits(1, RandomStream::test, 0, id));
    plate(c) = static_cast<std::int32_t>(id % 7);
    Parcel parcel;
    parcel.id = static_cast<std::int64_t>(id);
    parcel.area_m2 = 1.0;
    state.crust.parcels.push_back(parcel);
  }
  state.crust.plates.resize(7);
}

class Writer : public Pass {
 public:
  explicit Writer(PassContract contract) : contract_(std::move(contract)) {}
  const PassContract& contract() const override { return contract_; }
  void run(State&, const StepInfo&) override {}

 private:
  PassContract contract_;
};

}  // namespace

TEST(StateHash, is_that_of_one_rank_and_sees_a_single_bit) {
  Planet shared(world()), alone(par::Comm(MPI_COMM_SELF));
  fill(shared.state);
  fill(alone.state);
  const StateHash a = state_hash(shared.state), b = state_hash(alone.state);
  EXPECT_EQ(a.whole, b.whole);
  EXPECT_EQ(a.parts, b.parts);
  const LocalId cell = shared.mesh.local(GlobalId{100});
  if (cell != no_cell && shared.mesh.owns(GlobalId{100})) {
    const Array<double> z = shared.state.real(fields::elevation_m);
    z(cell) = std::nextafter(z(cell), 1e9);
  }
  const StateHash changed = state_hash(shared.state);
  EXPECT_NE(changed.whole, a.whole);
  EXPECT_NE(changed.parts.at("elevation_m"), a.parts.at("elevation_m"));
  EXPECT_EQ(changed.parts.at("plate"), a.parts.at("plate"));
}

TEST(State, refreshes_only_stale_halos) {
  Planet p(world());
  fill(p.state);
  p.state.mark_written(fields::elevation_m);
  p.state.refresh(fields::elevation_m);
  const Array<double> z = p.state.real(fields::elevation_m);
  for (LocalId c = p.mesh.n_owned(); c < p.mesh.n_all(); ++c) {
    EXPECT_EQ(z(c), 1000 * uniform01(random_bits(1, RandomStream::test, 0,
                                                 static_cast<std::uint64_t>(raw(p.mesh.global(c))))));
    z(c) = -1;
  }
  p.state.refresh(fields::elevation_m);
  for (LocalId c = p.mesh.n_owned(); c < p.mesh.n_all(); ++c) EXPECT_EQ(z(c), -1);
}

TEST(State, a_field_that_no_pass_declared_is_an_error) {
  Planet p(world());
  EXPECT_THROW(p.state.real(fields::sediment_m), Error);
}

TEST(Ledger, closes_with_the_exact_residual) {
  const par::Comm comm = world();
  Ledger ledger;
  const auto amount = [&](double total) {
    ExactSum s;
    if (comm.is_root()) s += total;
    return s;
  };
  ledger.stock_before(Balance::rock, amount(1e19));
  ledger.book(Balance::rock, "spreading", amount(3e16));
  ledger.book(Balance::rock, "subduction", amount(-1e16));
  ledger.stock_after(Balance::rock, amount(1e19 + 2e16));
  ledger.book(Balance::sediment, "erosion", amount(5.0));
  ledger.book(Balance::sediment, "deposition", amount(-4.0));
  ledger.close(comm);
  EXPECT_EQ(ledger.last_step(Balance::rock).residual_m3, 0.0);
  EXPECT_EQ(ledger.last_step(Balance::rock).turnover_m3, 4e16);
  EXPECT_EQ(ledger.last_step(Balance::sediment).residual_m3, 1.0);
  EXPECT_DOUBLE_EQ(ledger.worst_step(Balance::sediment), 1.0 / 9.0);
}

TEST(Ledger, survives_being_saved) {
  const par::Comm comm = world();
  Ledger ledger, copy;
  ExactSum a;
  a += 0.1;
  ledger.book(Balance::water, "rain on land", a);
  ledger.close(comm);
  copy.restore(ledger.serialize());
  EXPECT_EQ(copy.serialize(), ledger.serialize());
  EXPECT_EQ(copy.whole_run(Balance::water).booked_m3.at("rain on land"),
            ledger.whole_run(Balance::water).booked_m3.at("rain on land"));
  EXPECT_THROW(copy.restore("nonsense 1 2"), Error);
}

TEST(Monitor, names_field_cell_place_pass_and_step_on_every_rank) {
  Planet p(world());
  fill(p.state);
  const Writer pass({"test.writer", {overwrites(fields::elevation_m)}, {}, false});
  const StepInfo step{42, 42000000, 1e6};
  EXPECT_NO_THROW(check_after(pass, p.state, step));
  if (p.mesh.owns(GlobalId{777}))
    p.state.real(fields::elevation_m)(p.mesh.local(GlobalId{777})) = std::numeric_limits<double>::quiet_NaN();
  try {
    check_after(pass, p.state, step);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::numerical);
    const std::string text = e.what();
    for (const char* part : {"elevation_m", "nan", "cell 777", "lon", "lat", "test.writer", "step 42"}) {
      EXPECT_NE(text.find(part), std::string::npos) << text << " lacks " << part;
    }
  }
  EXPECT_THROW(check_all(p.state, "before a checkpoint"), Error);
}

TEST(Contracts, faults_of_the_schedule_are_found_at_the_start) {
  const Writer early({"a", {reads(fields::plate), overwrites(fields::elevation_m)}, {}, false});
  const Writer deep({"b", {reads(fields::elevation_m, 3)}, {}, false});
  const std::vector<FieldId> saved{fields::plate.id};
  EXPECT_NO_THROW(check_contracts({&early}, 2, saved));
  EXPECT_THROW(check_contracts({&early}, 2, {}), Error);
  EXPECT_THROW(check_contracts({&early, &deep}, 2, saved), Error);
}
