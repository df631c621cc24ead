"""The public interfaces of other systems, each a thin front over the engine of this one."""
