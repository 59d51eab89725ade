import { IconSearch } from "@tabler/icons-react";
import { startTransition, useEffect, useEffectEvent, useRef, useState } from "react";
import { useEarlyValue } from "../lib/use-early-value.ts";
import { Input } from "./form/fields.tsx";

/** Milliseconds without a keystroke before a search starts. */
const pause = 250;

type SearchFieldProps = {
  label: string;
  placeholder: string;
  maxLength: number;
  /** The current search, from the address. */
  search: string;
  onSearch: (search: string) => void;
  className?: string | undefined;
  /** The input's id, if it has a separate label. */
  id?: string;
};

/** A field that searches while the person types. */
export function SearchField({ label, search, onSearch, className, ...input }: SearchFieldProps) {
  const [value, setValue] = useState(search);
  const [due, setDue] = useState<{ text: string } | null>(null);
  const latest = useRef(search);
  const send = useEffectEvent((text: string) => {
    latest.current = text;
    onSearch(text);
  });
  useEffect(() => {
    if (value === latest.current) return;
    // Uses a transition, as the router's updates do: a link that was clicked just before is known when the search
    // starts.
    const timer = setTimeout(() => startTransition(() => setDue({ text: value })), pause);
    return () => clearTimeout(timer);
  }, [value]);
  useEffect(() => {
    if (due) send(due.text);
  }, [due]);
  const follow = useEffectEvent((text: string) => {
    // A text that was typed after the address had begun to change stays, and is searched for next.
    if (value === latest.current) setValue(text);
    latest.current = text;
  });
  useEffect(() => {
    // The address changed for another reason than typing here, as when a link was followed.
    if (search !== latest.current) follow(search);
  }, [search]);
  const field = useEarlyValue<HTMLInputElement>(search, setValue);
  return (
    <div className={className}>
      <Input
        ref={field}
        type="search"
        aria-label={label}
        before={<IconSearch size={18} stroke={1.6} aria-hidden />}
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
        {...input}
      />
    </div>
  );
}
