import { type SQL, sql } from "drizzle-orm";
import type { SaleSide } from "#domain/sale.ts";
import type { SaleRecord } from "#domain/sale-record.ts";

/**
 * Selects the record of an account's sales on one side, without sales that fell through by others' fault or haven't
 * ended yet.
 */
export const recordOf = (side: SaleSide, accountId: SQL): SQL<SaleRecord> => {
  const account = sql.raw(side === "seller" ? "seller_id" : "buyer_id");
  return sql<SaleRecord>`(
    select json_build_object(
      'handedOver', count(*) filter (where past.state = 'handedOver'),
      'of', count(*) filter (where past.state = 'handedOver' or past.fault = ${sql.raw(`'${side}'`)}),
      'medianDays', extract(epoch from percentile_disc(0.5) within group (order by past.ended_at - past.made_at)
        filter (where past.state = 'handedOver'))::float8 / 86400)
    from sale past where past.${account} = ${accountId} and past.state in ('handedOver', 'fellThrough'))`;
};
