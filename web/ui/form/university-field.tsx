import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ComponentProps, useEffect, useId, useState } from "react";
import { api } from "../../lib/rpc.ts";
import { TextField } from "./fields.tsx";

/** Milliseconds without a keystroke before a search, and the minimum and maximum number of its characters. */
const [pause, minLength, maxLength] = [250, 3, 120];

/** A field for the name of a university. It suggests names while the person types, and accepts any other name too. */
export function UniversityField(field: Omit<ComponentProps<typeof TextField>, "list" | "onChange">) {
  const id = useId();
  const [text, setText] = useState("");
  const [search, setSearch] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim().slice(0, maxLength)), pause);
    return () => clearTimeout(timer);
  }, [text]);
  const isSearched = search.length >= minLength;
  const { data } = useQuery({
    ...api.programmes.institutions.queryOptions({ input: { search } }),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <TextField {...field} list={id} onChange={({ currentTarget }) => setText(currentTarget.value)} />
      <datalist id={id}>
        {isSearched && data?.names.map((name) => <option key={name}>{name}</option>)}
      </datalist>
    </>
  );
}
