import type { Grade } from "#domain/auction.ts";

/** The promise of a grade to buyers: how the item looks, whether it works, and what comes with it. */
export type GradePromise = { looks: string; works: string; comesWith: string };

export const gradePromises: Record<Grade, GradePromise> = {
  New: {
    looks: "Never used, no marks.",
    works: "Works as new.",
    comesWith: "Everything, in its original packaging.",
  },
  "Grade A+": {
    looks: "Used with care; no marks you can see or feel.",
    works: "Fully working, tested.",
    comesWith: "All parts and accessories; the packaging may be missing.",
  },
  "Grade A": {
    looks: "Light signs of use, visible only up close.",
    works: "Fully working.",
    comesWith: "All essential parts.",
  },
  "Grade B": {
    looks: "Clear signs of use: scratches, fading or small dents, shown in the pictures.",
    works: "Working, though perhaps not for as long or as quietly as when it was new.",
    comesWith: "All essential parts; accessories may be missing.",
  },
  "Grade C": {
    looks: "Heavy wear or damage, shown in the pictures and described.",
    works: "Works only in part, or after a repair; the description says what doesn't.",
    comesWith: "Only what's in the description.",
  },
};

export const gradingLead =
  "Sellers grade what they list, so you know what to expect before you bid. Each grade is a promise.";
export const gradingAdvice = [
  "If you're torn between two grades, choose the lower one: nobody minds a pleasant surprise.",
  "Show any mark you can feel in a picture, and describe any fault that can't be seen.",
] as const;
