// The parts of the file formats that need no ranks: CRCs, the manifest, whole-file writes.
#include <filesystem>

#include "io/atomic_file.hpp"
#include "io/crc32c.hpp"
#include "io/manifest.hpp"
#include "io/run_directory.hpp"
#include "io/voronoi.hpp"
#include "world.hpp"

namespace craton::io {
namespace {

TEST(Crc32c, GivesThePublishedValues) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(Crc32c, OfJoinedPartsIsThatOfTheWhole) {
  std::string text;
  for (int k = 0; k < 3000; ++k)
    text += static_cast<char>(random_bits(1, RandomStream::test, 0, static_cast<std::uint64_t>(k)) & 0xff);
  const std::uint32_t whole = crc32c(text);
  for (const std::size_t cut :
       {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1024}, std::size_t{2999}, text.size()}) {
    const std::uint32_t a = crc32c(text.substr(0, cut)), b = crc32c(text.substr(cut));
    EXPECT_EQ(crc32c_combine(a, b, text.size() - cut), whole) << cut;
    EXPECT_EQ(crc32c(text.data() + cut, text.size() - cut, a), whole) << cut;
  }
}

Manifest example() {
  Manifest m;
  m.step = 7;
  m.time_yr = 7000000;
  m.frequency = 8;
  m.climate_frequency = 4;
  m.radius_m = 6371000.1;
  m.file_bytes = 1234;
  m.state_hash = "0123456789abcdef";
  m.part_hashes["elevation_m"] = "00000000000000ff";
  m.config_yaml = "seed: 1\n# \"quoted\" \\ text\n";
  m.datasets = {{"cells/elevation_m", ElementType::float64, 642, 1, 0xdeadbeef},
                {"parcels/frame_position", ElementType::float64, 3, 3, 1}};
  return m;
}

TEST(Manifest, ComesBackAsWritten) {
  const Manifest a = example(), b = parse_manifest(to_json(a));
  EXPECT_EQ(to_json(a), to_json(b));
  EXPECT_EQ(b.radius_m, a.radius_m);
  EXPECT_EQ(b.config_yaml, a.config_yaml);
  ASSERT_NE(b.find("parcels/frame_position"), nullptr);
  EXPECT_EQ(b.find("parcels/frame_position")->columns, 3);
}

TEST(Manifest, IsRefusedWhenAnythingIsWrong) {
  const std::string good = to_json(example());
  const std::pair<const char*, const char*> changes[] = {
      {"\"format_version\": 1", "\"format_version\": 2"},
      {"\"frequency\": 8", "\"frequency\": 900000000"},
      {"\"frequency\": 8", "\"frequency\": \"8\""},
      {"cells/elevation_m", "../elevation_m"},
      {"cells/elevation_m", "/cells/elevation_m"},
      {"cells/elevation_m", "parcels/frame_position"},
      {"float64", "float128"},
      {"642", "-642"},
      {"642", "99999999999999999999"},
      {"deadbeef", "deadbeeg"},
      {"0123456789abcdef", "0123456789abcde"},
      {"craton checkpoint", "another program"},
      {"\"step\"", "\"stop\""},
  };
  for (const auto& [from, to] : changes) {
    std::string bad = good;
    const auto at = bad.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bad.replace(at, std::string(from).size(), to);
    EXPECT_THROW(parse_manifest(bad), Error) << from << " -> " << to;
  }
  EXPECT_THROW(parse_manifest(good.substr(0, good.size() / 2)), Error);
  EXPECT_THROW(parse_manifest(""), Error);
  EXPECT_THROW(parse_manifest(std::string(1000000, '[')), Error);
}

TEST(AtomicWrite, ReplacesTheWholeFileAndLeavesNothingElse) {
  const test::Scratch scratch(test::world());
  const std::string path = scratch.path() + "/a.json";
  atomic_write(path, "old, longer text");
  atomic_write(path, "new");
  EXPECT_EQ(read_text(path), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1);
  EXPECT_THROW(atomic_write(scratch.path() + "/none/a.json", "x"), Error);
}

TEST(Pieces, CoverAllCellsInOrder) {
  for (const std::int64_t cells : {42, 642, 65536, 655362, 2621442}) {
    for (const std::int64_t size : {7, 100, 65536}) {
      const Pieces pieces(cells, size);
      EXPECT_EQ(pieces.begin(0), 0);
      EXPECT_EQ(pieces.begin(pieces.count()), cells);
      for (std::int64_t p = 0; p < pieces.count(); p += std::max<std::int64_t>(1, pieces.count() / 100)) {
        EXPECT_EQ(pieces.piece_of(pieces.begin(p)), p);
        EXPECT_EQ(pieces.piece_of(pieces.begin(p + 1) - 1), p);
      }
    }
  }
}

}  // namespace
}  // namespace craton::io
