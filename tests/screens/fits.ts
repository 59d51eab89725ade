import { answered, type Screen } from "./screen.ts";

/** Students who fit a programme with a long title, as the list answers. */
const fittingStudents = {
  students: [
    {
      id: "s1",
      name: "Donaudampfschiffahrtselektrizitaetenhauptbetriebswerkbauunterbeamter",
      email: "ada@example.org",
      phone: "",
      country: "NG",
      disabled: false,
      erasedOn: null,
      agent: null,
      progress: { profile: 50, documents: 50, overall: 50 },
      documents: { uploaded: 3, toReview: 1 },
      applications: [],
      deposit: null,
      fit: { outcome: "gap", reason: "writing 6.0, asked 6.5" },
    },
    {
      id: "s2",
      name: "Ben Osei",
      email: "ben@example.org",
      phone: "",
      country: "GH",
      disabled: false,
      erasedOn: null,
      agent: null,
      progress: { profile: 50, documents: 50, overall: 50 },
      documents: { uploaded: 3, toReview: 0 },
      applications: [],
      deposit: null,
      fit: { outcome: "mayEnter", reason: "" },
    },
  ],
  total: 2,
  next: null,
  fits: {
    programme: {
      slug: "msc",
      title:
        "MSc International Business with a Year in Industry and an Optional Placement at a Partner Company Abroad",
      start: "2027-09-01",
    },
    counts: { mayEnter: 1, gap: 1, notKnown: 4, no: 12, noRecord: 23 },
    more: false,
  },
};

/** States of Manage Students that compare students with a programme. */
export const fitStates: Record<string, Omit<Screen, "route" | "state" | "as">> = {
  "who fits a programme": {
    at: () => "/manage-students?fits=0b6f3f5e-6a3c-4d55-9a53-3b7f8a1c2d4e&fit=gap",
    before: answered("/rpc/students/list", fittingStudents),
    shows: (page) => page.getByText("One gap: writing 6.0, asked 6.5"),
  },
  "nobody fits": {
    at: () => "/manage-students?fits=0b6f3f5e-6a3c-4d55-9a53-3b7f8a1c2d4e",
    before: answered("/rpc/students/list", {
      ...fittingStudents,
      students: [],
      total: 0,
      fits: { ...fittingStudents.fits, counts: { mayEnter: 0, gap: 0, notKnown: 4, no: 14, noRecord: 23 } },
    }),
    shows: (page) => page.getByRole("heading", { name: "Nobody is known to fit" }),
  },
};
