/** The program that PostgreSQL belongs to, as its operator knows it. */
export type Program = {
  /** Its name in sentences. In lower case it names roles, files and a system folder, so it must have only letters. */
  name: string;
  /** How the operator chooses another data folder: "set DATA_DIR to another one". */
  otherFolder: string;
  /** How the operator does without this PostgreSQL: "set DATABASE_URL to a PostgreSQL of your own". */
  otherServer: string;
};

export const identifierOf = ({ name }: Program): string => name.toLowerCase();

/** Names the role that owns everything, and the one that has only the rights that the owner grants it. */
export function rolesOf(program: Program): { owner: string; application: string } {
  const owner = identifierOf(program);
  return { owner, application: `${owner}_app` };
}
