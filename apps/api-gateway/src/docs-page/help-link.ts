/** Header `Link` of error responses: the page that explains them. */
export const helpLink = '</docs/guides/errors>; rel="help"';
