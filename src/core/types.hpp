#pragma once
// Index types and the memory space of every field.
//
// LocalId numbers the cells that a rank holds (owned first, then halo layers); GlobalId numbers the cells of the planet
// along the block curve. They are different types, so that one cannot stand in for the other.
#include <Kokkos_Core.hpp>
#include <compare>
#include <cstdint>

namespace craton {

using LocalId = std::int32_t;
enum class GlobalId : std::int64_t {};

KOKKOS_INLINE_FUNCTION constexpr std::int64_t raw(GlobalId id) {
  return static_cast<std::int64_t>(id);
}

/// Marks "no cell here" in neighbour tables (a pentagon's sixth slot, a neighbour beyond the halo).
inline constexpr LocalId no_cell = -1;

using ExecutionSpace = Kokkos::DefaultExecutionSpace;
// Host code and kernels share every array: irregular host algorithms (parcels, flow routing) read the same memory as
// the kernels. On a device backend this is managed memory; callers fence before host access.
#if defined(KOKKOS_ENABLE_CUDA)
using MemorySpace = Kokkos::CudaUVMSpace;
#elif defined(KOKKOS_ENABLE_HIP) && defined(KOKKOS_HAS_SHARED_SPACE)
using MemorySpace = Kokkos::SharedSpace;
#else
using MemorySpace = ExecutionSpace::memory_space;
#endif

template <class T>
using Array = Kokkos::View<T*, Kokkos::LayoutLeft, MemorySpace>;
/// Looks at an array that lives elsewhere: does not count references, because accessors hand it out once per cell.
template <class T>
using ConstArray = Kokkos::View<const T*, Kokkos::LayoutLeft, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
/// Per cell and neighbour slot: (local id, slot), slots contiguous for one cell.
template <class T>
using SlotArray = Kokkos::View<T* [6], Kokkos::LayoutRight, MemorySpace>;
template <class T>
using ConstSlotArray =
    Kokkos::View<const T* [6], Kokkos::LayoutRight, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

}  // namespace craton
