"""Pictures of a Craton run, from its snapshots; numpy, scipy, h5py and matplotlib only. docs/design/pictures.md."""
