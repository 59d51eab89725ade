import { IconSearch } from "@tabler/icons-react";
import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { Input } from "./form/fields.tsx";

/** Milliseconds without a key after which a search is made. */
const pause = 250;

type SearchFieldProps = {
  label: string;
  placeholder: string;
  maxLength: number;
  /** What is searched for, as the address has it. */
  search: string;
  onSearch: (search: string) => void;
  className?: string | undefined;
  /** Where a label stands beside it. */
  id?: string;
};

/** A search that is made while it is typed. */
export function SearchField({ label, search, onSearch, className, ...input }: SearchFieldProps) {
  const [typed, setTyped] = useState(search);
  const [due, setDue] = useState<{ text: string } | null>(null);
  const sent = useRef(search);
  const send = useEffectEvent((text: string) => {
    sent.current = text;
    onSearch(text);
  });
  useEffect(() => {
    if (typed === sent.current) return;
    // A transition, as the router's updates are: a link that was pressed just before is known when the search is made.
    const timer = setTimeout(() => startTransition(() => setDue({ text: typed })), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    if (due) send(due.text);
  }, [due]);
  useEffect(() => {
    // The address changed by itself, as when a link was followed: not by what was typed here.
    if (search === sent.current) return;
    sent.current = search;
    setTyped(search);
  }, [search]);
  const field = useRef<HTMLInputElement>(null);
  const takeOver = useEffectEvent(() => {
    const early = field.current?.value ?? search;
    if (early !== search) setTyped(early);
  });
  // What was typed while the code was on the way.
  useLayoutEffect(() => takeOver(), []);
  return (
    <div className={className}>
      <Input
        ref={field}
        type="search"
        aria-label={label}
        before={<IconSearch size={18} stroke={1.6} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        {...input}
      />
    </div>
  );
}
