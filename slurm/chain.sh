#!/usr/bin/env bash
# Submits N jobs that carry one run on, one after the other: for sites where a job may not submit jobs.
#   slurm/chain.sh N [sbatch options]      for example: slurm/chain.sh 6 --nodes=8 --time=12:00:00
# Jobs of one name and user run one at a time (dependency singleton). What is left of the chain is cancelled when the
# planet is finished or the program fails.
set -euo pipefail

if [ $# -lt 1 ] || ! [[ "$1" =~ ^[1-9][0-9]*$ ]]; then
  sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
count="$1"
shift
here="$(cd "$(dirname "$0")" && pwd)"
cd "$here/.."
export CRATON_RESUBMIT=0 CRATON_CHAIN=1
for ((k = 0; k < count; ++k)); do
  sbatch --export=ALL "$@" slurm/craton.sbatch
done
