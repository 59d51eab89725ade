import { type SubmitEvent, useRef, useState } from "react";
import type { Problem } from "#domain/error-catalogue.ts";
import { type Failure, failureOf } from "../failure.ts";

/** The texts of a form by the names of its fields. */
export type Values<Field extends string> = Record<Field, string>;

export type FormPlan<Field extends string> = {
  fields: readonly Field[];
  /** What the form can see by itself; null when all is well. */
  check: (values: Values<Field>) => Problem | null;
  /** Whether the person is asked first, which is the caller's to do; `goOn` then sends it. */
  ask?: (values: Values<Field>, goOn: () => void) => boolean;
  /** Sends it. What it throws is shown in the error modal; false means that it is not done yet. */
  send: (values: Values<Field>) => Promise<boolean | void>;
  /** When it is done and nothing is kept of it any more: the form may begin anew. */
  onDone?: () => void;
  /** Called at every change with all that is typed by then. */
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

/** A password, shown or hidden, or a one-time code. */
export function isSecret(form: HTMLFormElement, field: string): boolean {
  const input = form.elements.namedItem(field);
  return input instanceof HTMLInputElement && /password|one-time-code/.test(input.autocomplete);
}

/** One submit at a time: a second one while the first is pending sends nothing. */
export function useSubmit<Field extends string>({ fields, check, ask, send }: FormPlan<Field>) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const pending = useRef(false);

  async function submit(values: Values<Field>) {
    pending.current = true;
    setBusy(true);
    try {
      await send(values);
      setFailure(null);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      pending.current = false;
      setBusy(false);
    }
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending.current) return;
    const values = read(event.currentTarget, fields);
    const problem = check(values);
    if (problem) setFailure(failureOf(problem));
    else if (!ask?.(values, () => void submit(values))) void submit(values);
  }

  return { busy, failure, onSubmit };
}
