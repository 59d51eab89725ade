/** Such as "1 student" and "12 students". */
export const numberOfStudents = (number: number): string =>
  number === 1 ? "1 student" : `${number} students`;
