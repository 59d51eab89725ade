/** `sample`: made up until the consultancy puts its own in its place; a production start warns while one is left. */
export type Sample = { sample?: true };
