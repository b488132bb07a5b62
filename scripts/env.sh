# shellcheck shell=bash
# Environment of every script here; source it. Sets nothing that the user has set already.
#
# Open MPI on a workstation: more ranks than cores, as root in a container, threads not pinned to one core. Job
# scripts under slurm/ do not read this file: there the scheduler decides about placement.

CRATON_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export CRATON_ROOT

if [ "$(id -u)" -eq 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT="${OMPI_ALLOW_RUN_AS_ROOT:-1}"
  export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="${OMPI_ALLOW_RUN_AS_ROOT_CONFIRM:-1}"
fi
export OMPI_MCA_rmaps_base_oversubscribe="${OMPI_MCA_rmaps_base_oversubscribe:-1}"
export OMPI_MCA_hwloc_base_binding_policy="${OMPI_MCA_hwloc_base_binding_policy:-none}"
export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle:-1}"
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"
export OMP_PROC_BIND="${OMP_PROC_BIND:-false}"
export KOKKOS_DISABLE_WARNINGS="${KOKKOS_DISABLE_WARNINGS:-1}"

# Cores that this process may use; CRATON_JOBS limits builds and tests on a shared machine.
CRATON_CORES="$(nproc)"
CRATON_JOBS="${CRATON_JOBS:-$CRATON_CORES}"
export CRATON_CORES CRATON_JOBS

craton_say() { printf '%s: %s\n' "$(basename "$0")" "$*"; }
craton_die() {
  printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}
