#pragma once
// 128-bit integers, an extension of GCC and Clang, spelled so that -Wpedantic accepts them.
namespace craton {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UnsignedInt128;

}  // namespace craton
