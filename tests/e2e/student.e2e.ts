import { newPerson, signedUp } from "./people.ts";
import { logOut, signUp } from "./steps.ts";
import { expect, test } from "./story.ts";

test("a student signs up, lands on the student dashboard and verifies the address", async ({
  page,
  mailedLink,
}) => {
  const ada = newPerson("student");
  const answered = page.waitForResponse("**/rpc/account/signUp");
  await signUp(page, {
    ...ada,
    firstName: "  Ada ",
    lastName: " Obi  ",
    email: ` ${ada.email.toUpperCase()} `,
    phone: ` ${ada.phone} `,
  });
  await expect(page).toHaveURL("/student-dashboard");
  // Pages collapse blanks anyway, so the stored text is checked for them.
  const { firstName, lastName, email, phone } = ada;
  expect((await (await answered).json()).json).toMatchObject({ firstName, lastName, email, phone });
  await expect(page.getByRole("heading", { name: "Hello, Ada", exact: true })).toBeVisible();
  for (const fact of ["Ada Obi", ada.email, ada.phone])
    await expect(page.getByRole("definition").filter({ hasText: fact })).toHaveText(fact);

  const reminder = page.getByRole("region", { name: "Email verification" });
  await expect(reminder).toContainText("Please verify your email address.");
  await expect(reminder).toContainText(ada.email);

  await page.goto(await mailedLink(ada.email, /verify/));
  await expect(page.getByText("Your email address is verified.")).toBeVisible();
  await expect(reminder).toBeHidden();
  // The token is gone from the address bar.
  await expect(page).toHaveURL("/verify-email");

  await page.goto("/student-dashboard");
  await expect(page.getByRole("heading", { name: "Complete your profile" })).toBeVisible();
  await expect(reminder).toBeHidden();
});

test("the reminder mails the link again", async ({ page, server, mailedLink }) => {
  const ada = await signedUp(page, server.url, "student");
  const first = await mailedLink(ada.email, /verify/);
  await page.goto("/student-dashboard");
  await expect(page.getByRole("heading", { name: "Hello, Ada" })).toBeVisible();
  await page.getByRole("button", { name: "Send the link again" }).click();
  await expect(page.getByText("Sent. Please check your inbox and spam folder.")).toBeVisible();
  const second = await server.find((line) =>
    line.includes(ada.email) && line.includes("verify") && !line.includes(first) ? line : null,
  );
  expect(second).toContain("mail written");
});

test("the reminder appears without moving anything on the page", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  await page.goto("/auctions");
  const reminder = page.getByRole("region", { name: "Email verification" });
  await expect(reminder).toBeInViewport({ ratio: 1 });
  const placeOf = (name: string) => page.getByRole("link", { name }).first().boundingBox();
  const before = await Promise.all(["Sell an item", "Terms"].map(placeOf));
  await page.evaluate("document.querySelector('[aria-label=\"Email verification\"]').remove()");
  expect(await Promise.all(["Sell an item", "Terms"].map(placeOf))).toEqual(before);
});

test("logging out leads to the home page", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  // An account's first page sends the device's time zone; logging out during that call would make it refused.
  const zoneNamed = page.waitForResponse("**/rpc/planner/setTimeZone");
  await page.goto("/student-profile");
  await zoneNamed;
  await logOut(page, ada.email);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
  await page.goto("/student-dashboard");
  await expect(page).toHaveURL("/login?next=%2Fstudent-dashboard");
});
