/** The names in a table, in their order: of a table whose type has all that it holds. */
export const keysOf = <Name extends string>(
  table: Readonly<Partial<Record<Name, unknown>>>,
): readonly Name[] => Object.keys(table) as Name[];
