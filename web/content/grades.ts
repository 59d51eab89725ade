import type { Grade } from "#domain/auction.ts";

/** What each grade promises a buyer: how it looks, whether it works, and what comes with it. */
export type GradePromise = { looks: string; works: string; comesWith: string };

/** The words of the grading guide. */
export const gradePromises: Record<Grade, GradePromise> = {
  New: {
    looks: "Never used, without a mark.",
    works: "As on the first day.",
    comesWith: "Everything, in its original packaging.",
  },
  "Grade A+": {
    looks: "Used with care; no mark that can be seen or felt.",
    works: "Fully, and was tested.",
    comesWith: "All parts and accessories; the packaging may be missing.",
  },
  "Grade A": {
    looks: "Light signs of use, seen only from close by.",
    works: "Fully.",
    comesWith: "All parts that it needs.",
  },
  "Grade B": {
    looks: "Clear signs of use: scratches, fading or small dents, shown in the pictures.",
    works: "Fully, if not as long or as quietly as when it was new.",
    comesWith: "All parts that it needs; accessories may be missing.",
  },
  "Grade C": {
    looks: "Heavy wear or damage, shown in the pictures and described.",
    works: "In part, or after a repair; the description says what does not.",
    comesWith: "Only what the description names.",
  },
};

export const gradingLead =
  "Sellers grade what they list, so that you know what to expect before you bid. Each grade is a promise.";
export const gradingAdvice = [
  "In doubt between two grades, choose the lower one: nobody minds a pleasant surprise.",
  "A mark that can be felt belongs in a picture, a fault that can't be seen in the description.",
] as const;
