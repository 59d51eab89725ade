/** The countries of ISO 3166 whose flags are shown. */
export type CountryCode = "ae" | "au" | "ca" | "de" | "gb" | "ie" | "us";
export type Country = {
  name: string;
  code: CountryCode;
  line: string;
  facts: readonly { label: string; value: string }[];
};

/** The countries served, in the order of the home page; the first one is selected initially. */
export const countries: readonly [Country, ...Country[]] = [
  {
    name: "United Kingdom",
    code: "gb",
    line: "Short, focused degrees: a bachelor's in three years, a master's in one.",
    facts: [
      { label: "Main intakes", value: "September, and January at many universities" },
      { label: "Bachelor's", value: "3 years, 4 in Scotland" },
      { label: "Master's", value: "1 year" },
      { label: "Permission to study", value: "Student visa" },
      { label: "Currency", value: "Pound sterling" },
    ],
  },
  {
    name: "Canada",
    code: "ca",
    line: "Large campuses, paid co-op terms, and two languages to study in.",
    facts: [
      { label: "Main intakes", value: "September, January and May" },
      { label: "Bachelor's", value: "3 to 4 years" },
      { label: "Master's", value: "1 to 2 years" },
      { label: "Permission to study", value: "Study permit" },
      { label: "Currency", value: "Canadian dollar" },
    ],
  },
  {
    name: "United States",
    code: "us",
    line: "A broad first year, and a major you choose when you're ready.",
    facts: [
      { label: "Main intakes", value: "August, and January at many universities" },
      { label: "Bachelor's", value: "4 years" },
      { label: "Master's", value: "1 to 2 years" },
      { label: "Permission to study", value: "F-1 student visa" },
      { label: "Currency", value: "US dollar" },
    ],
  },
  {
    name: "Ireland",
    code: "ie",
    line: "English-speaking, in the European Union, with major employers close by.",
    facts: [
      { label: "Main intakes", value: "September, and January for some programmes" },
      { label: "Bachelor's", value: "3 to 4 years" },
      { label: "Master's", value: "1 to 2 years" },
      { label: "Permission to study", value: "Study visa, where needed, and Stamp 2" },
      { label: "Currency", value: "Euro" },
    ],
  },
  {
    name: "United Arab Emirates",
    code: "ae",
    line: "Branch campuses of universities from all over the world, between Europe and Asia.",
    facts: [
      { label: "Main intakes", value: "August or September, and January" },
      { label: "Bachelor's", value: "3 to 4 years" },
      { label: "Master's", value: "1 to 2 years" },
      { label: "Permission to study", value: "Student residence visa" },
      { label: "Currency", value: "UAE dirham" },
    ],
  },
];
