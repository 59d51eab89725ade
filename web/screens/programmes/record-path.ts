/** The address at which students enter their qualifications and tests. */
export const recordPath = "/student-profile#record";
