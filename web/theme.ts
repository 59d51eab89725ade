import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** Deep harbour green: links and buttons. The eighth is the brand's own, `#0E5A4E`. */
const harbour: MantineColorsTuple = [
  "#eaf5f2",
  "#d3e8e2",
  "#a9d3c8",
  "#7fc0b1",
  "#5cb09e",
  "#2f8a79",
  "#1a7a6a",
  "#0e5a4e",
  "#0b493f",
  "#083730",
];

/** Apricot: one thing a screen. */
const apricot: MantineColorsTuple = [
  "#fff3ea",
  "#fde3d1",
  "#fac7a5",
  "#f6aa78",
  "#f28c52",
  "#e0712f",
  "#b8551a",
  "#964414",
  "#763510",
  "#57270c",
];

/** Warm greys beside paper. */
const gray: MantineColorsTuple = [
  "#f6f3ed",
  "#efebe2",
  "#e6e1d6",
  "#d9d3c5",
  "#8f8a7e",
  "#78746a",
  "#605d56",
  "#4a4843",
  "#33322f",
  "#1f1e1c",
];

/** The night side of ink: text, hairlines, raised surfaces, ground. */
const dark: MantineColorsTuple = [
  "#ece8df",
  "#c9ccd6",
  "#a7aebf",
  "#7f89a1",
  "#65708c",
  "#2b3a58",
  "#1a2640",
  "#111a2e",
  "#0d1526",
  "#090f1c",
];

const red: MantineColorsTuple = [
  "#fdf0ee",
  "#fadcd8",
  "#f4b8b0",
  "#f09387",
  "#ea7567",
  "#d4493a",
  "#b8321f",
  "#9e2a1b",
  "#812216",
  "#641a11",
];

export const theme = createTheme({
  colors: { harbour, apricot, gray, dark, red },
  primaryColor: "harbour",
  primaryShade: { light: 7, dark: 6 },
  // On apricot a button carries ink, not white.
  autoContrast: true,
  black: "#14213d",
  fontFamily: "Inter, 'Inter Fallback', system-ui, sans-serif",
  headings: {
    fontFamily: "Fraunces, 'Fraunces Fallback', Georgia, serif",
    fontWeight: "560",
    textWrap: "balance",
  },
  defaultRadius: "md",
  radius: { xs: "4px", sm: "6px", md: "10px", lg: "14px", xl: "20px" },
  shadows: { md: "0 1px 2px rgb(20 33 61 / 5%), 0 12px 32px -12px rgb(20 33 61 / 18%)" },
  cursorType: "pointer",
});
