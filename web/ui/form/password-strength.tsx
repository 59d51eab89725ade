import { type Score, ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { useDeferredValue } from "react";
import { guessedWords } from "#domain/password.ts";
import { isSecret } from "./form.tsx";
import classes from "./password-strength.module.css";

/** Maximum characters that are checked: the work grows with their square, and more only make a password stronger. */
const maxLength = 64;
const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength });

const better = "Three or four unrelated words are easy to remember and hard to guess.";
const verdicts: Record<Score, string> = {
  0: `Very easy to guess. ${better}`,
  1: `Easy to guess. ${better}`,
  2: `Could be stronger. ${better}`,
  3: "A strong password.",
  4: "A very strong password.",
};

type PasswordStrengthProps = {
  password: string;
  form: HTMLFormElement | null;
  ownWords: readonly string[] | undefined;
};

/** Rates how hard a password is to guess for an attacker who knows the account's words and the form's other texts. */
export default function PasswordStrength({ password, form, ownWords }: PasswordStrengthProps) {
  // Typing takes precedence over rating.
  const rated = useDeferredValue(password);
  const { score } = estimator.check(rated, guessedWords([...(ownWords ?? []), ...textsIn(form)]));
  return (
    <>
      <meter
        className={classes.bar}
        aria-label="Password strength"
        max={5}
        low={2.5}
        high={3.5}
        optimum={5}
        value={score + 1}
      />
      <p className={classes.words}>{verdicts[score]}</p>
    </>
  );
}

/** Returns the texts in the other fields, such as names and addresses. */
function textsIn(form: HTMLFormElement | null): string[] {
  if (!form) return [];
  const others = [...new FormData(form)].filter(([name]) => !isSecret(form, name));
  return others.flatMap(([, value]) => (typeof value === "string" ? value : []));
}
