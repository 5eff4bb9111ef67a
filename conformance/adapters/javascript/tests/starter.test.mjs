// The starter with the kit beside it, as `seamcheck init` lays them out.
import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { FOLDER, Session } from "./session.mjs";

test("the starter runs as it is, in a folder of its own", async () => {
  const folder = await mkdtemp(join(tmpdir(), "seamcheck-starter-"));
  try {
    await cp(join(FOLDER, "starter"), folder, { recursive: true });
    await cp(join(FOLDER, "seamcheck_kit.mjs"), join(folder, "seamcheck_kit.mjs"));
    const session = await Session.start(join(folder, "adapter.mjs"));
    const messages = [{ id: "u", role: "user", content: "hi" }];
    const { units } = (await session.call("measure", { messages })).result;
    const { kept } = (await session.call("cut", { messages, budget: units })).result;
    assert.deepEqual(kept, [{ index: 0, id: "u", message: messages[0] }]);
    assert.deepEqual((await session.call("cut", { messages, budget: units - 1 })).result.kept, []);
    assert.equal(await session.close(), 0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
