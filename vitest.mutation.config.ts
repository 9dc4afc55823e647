import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: vitest asks for it
export default defineConfig({
  test: {
    include: ["test/verdict/**/*.test.ts", "test/stats/**/*.test.ts"],
    // Simulations of thousands of services: what they cover, exact tests cover too.
    exclude: ["test/verdict/false-pass.test.ts"],
    setupFiles: ["test/mutation-setup.ts"],
    testTimeout: 120_000,
    retry: 0,
  },
});
