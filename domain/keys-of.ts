/** Returns the keys of a record in their order. The record's type must name them all. */
export const keysOf = <Name extends string>(
  table: Readonly<Partial<Record<Name, unknown>>>,
): readonly Name[] => Object.keys(table) as Name[];
