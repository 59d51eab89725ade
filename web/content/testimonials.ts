import type { Sample } from "./samples.ts";

/** `photo`: a file of `portraits/`. */
export type Testimonial = Sample & { name: string; about: string; photo: string; words: string };

export const testimonials: readonly Testimonial[] = [
  {
    name: "Priya Nair",
    about: "MSc Data Science, Manchester",
    photo: "priya.svg",
    words:
      "I had eleven tabs open and no idea where to begin. My agent turned them into four applications and two offers.",
    sample: true,
  },
  {
    name: "Chidi Eze",
    about: "BEng Civil Engineering, Toronto",
    photo: "chidi.svg",
    words:
      "I could see every step on the timeline, so I stopped calling home with the same question every evening.",
    sample: true,
  },
  {
    name: "Sofia Marin",
    about: "MA Design, Dublin",
    photo: "sofia.svg",
    words:
      "The visa folder was ready two weeks before the appointment. I spent those two weeks saying goodbye properly.",
    sample: true,
  },
];
