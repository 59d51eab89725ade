import { type SubmitEvent, useRef, useState } from "react";
import type { Problem } from "#domain/error-catalogue.ts";
import { type Failure, failureOf } from "../failure.ts";

/** The texts of a form by the names of its fields. */
export type Values<Field extends string> = Record<Field, string>;

export type FormPlan<Field extends string> = {
  fields: readonly Field[];
  /** What the form can see by itself; null when all is well. */
  check: (values: Values<Field>) => Problem | null;
  /** Sends it. What it throws is shown in the error modal. */
  send: (values: Values<Field>) => Promise<void>;
  /** Hears of every change with all that is typed by then. */
  onEdit?: (values: Values<Field>) => void;
};

/** What a date that is only half typed counts as: it has no value, but is not empty either. No check accepts it. */
const unreadable = "?";
const isUnreadable = (field: unknown) => field instanceof HTMLInputElement && field.validity.badInput;

/** Read when submitted, so that what was typed or filled in before React was ready counts too. */
export function read<Field extends string>(form: HTMLFormElement, fields: readonly Field[]) {
  const data = new FormData(form);
  const values: Partial<Values<Field>> = {};
  for (const field of fields) {
    const value = data.get(field);
    const text = typeof value === "string" ? value : "";
    values[field] = isUnreadable(form.elements.namedItem(field)) ? unreadable : text;
  }
  return values as Values<Field>;
}

/** One submit at a time: a second one while the first is under way sends nothing. */
export function useSubmit<Field extends string>({ fields, check, send }: FormPlan<Field>) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const underWay = useRef(false);

  async function submit(values: Values<Field>) {
    underWay.current = true;
    setBusy(true);
    try {
      await send(values);
      setFailure(null);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (underWay.current) return;
    const values = read(event.currentTarget, fields);
    const problem = check(values);
    if (problem) setFailure(failureOf(problem));
    else void submit(values);
  }

  return { busy, failure, onSubmit };
}
