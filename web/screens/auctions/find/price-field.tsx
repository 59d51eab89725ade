import { startTransition, useEffect, useEffectEvent, useState } from "react";
import { amountInput, amountMessages, amountTextLimit, parseAmount } from "#domain/money.ts";
import { Field, Input } from "../../../ui/form/fields.tsx";

/** Milliseconds without a keystroke before the list changes. */
const pause = 500;

const inputOf = (cents: string | null): string => (cents === null ? "" : amountInput(Number(cents)));

type PriceFieldProps = { label: string; cents: string | null; onChoose: (cents: string | null) => void };

/** A price to filter by. The list changes a moment after the last keystroke; the address has the amount in cents. */
export function PriceField({ label, cents, onChoose }: PriceFieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? inputOf(cents);
  const amount = parseAmount(text);
  const isEmpty = text.trim() === "";
  const choose = useEffectEvent((value: string) => {
    const read = parseAmount(value);
    const choice = read.kind === "amount" ? String(read.cents) : null;
    // An invalid amount leaves the list as it is.
    if (read.kind !== "amount" && value.trim() !== "") return;
    if (choice !== cents) onChoose(choice);
    setDraft(null);
  });
  useEffect(() => {
    if (draft === null) return;
    const timer = setTimeout(() => startTransition(() => choose(draft)), pause);
    return () => clearTimeout(timer);
  }, [draft]);
  return (
    <Field label={label} error={!isEmpty && amount.kind === "problem" && amountMessages[amount.problem]}>
      {(control) => (
        <Input
          before="R"
          inputMode="decimal"
          autoComplete="off"
          maxLength={amountTextLimit}
          value={text}
          onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          {...control}
        />
      )}
    </Field>
  );
}
