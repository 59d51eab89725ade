import { Navigate } from "react-router";

/** The footer's /about leads to /about-us. */
export default function About() {
  return <Navigate replace to="/about-us" />;
}
