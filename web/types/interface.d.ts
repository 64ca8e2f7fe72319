// What scripts/bindings makes of include/thaw.h, as far as the page uses it.
export const constants: Record<string, number>;
export const structs: Record<string, { size: number; members: Record<string, [number, string, number?]> }>;
