import { useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/rpc.ts";
import { CardGrid } from "../find/results.tsx";
import classes from "../product.module.css";

const title = "Similar items on sale";

/** Open auctions of similar items, for people who came too late. Hidden if there are none or the query fails. */
export default function Similar({ productId }: { productId: string }) {
  const { data } = useQuery(api.auctions.similar.queryOptions({ input: { productId } }));
  if (!data || data.products.length === 0) return null;
  return (
    <section className={classes.similar} aria-labelledby="similar">
      <h2 id="similar" className={classes.heading}>
        {title}
      </h2>
      <CardGrid products={data.products} label={title} heading="h3" />
    </section>
  );
}
