import "virtual:theme.css";
import "./styles.css";
import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { Router } from "wouter-preact";
import { useHashLocation } from "wouter-preact/use-hash-location";
import { queries } from "./api/queries.ts";
import { App } from "./app.tsx";

const place = document.querySelector("#app");
if (place !== null) {
  render(
    <QueryClientProvider client={queries}>
      <Router hook={useHashLocation}>
        <App />
      </Router>
    </QueryClientProvider>,
    place,
  );
}
