/** Whether tests that compare many versions take all of them: `LONG_TESTS=1`. Without, they take some. */
export const isLong: boolean = process.env["LONG_TESTS"] === "1";
