export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export const after = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds);
export const later = (one: Date, other: Date): Date => (one > other ? one : other);
export const daysBefore = (time: Date, days: number): Date => after(time, -days * day);
