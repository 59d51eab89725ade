import { useFormats } from "../../lib/format-date.ts";

/** Formats days such as 2026-11-21 as dates look everywhere. */
export function useDays() {
  const { formatDate } = useFormats();
  return { formatDay: (day: string) => formatDate(new Date(`${day}T12:00:00Z`)) };
}
