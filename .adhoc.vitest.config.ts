import { defineConfig } from "vitest/config";
export default defineConfig({ test: { include: ["test/stats/**/*.test.ts"], setupFiles: ["test/mutation-setup.ts"], testTimeout: 20_000, retry: 0 } });
