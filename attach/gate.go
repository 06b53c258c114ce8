package attach

// Checks makes every check that Execute makes before it asks or signals the target,
// from the same list, and does neither. Once one is not ok those that rest on it are
// unknown.
func (c *Client) Checks(t Target) []Check {
	return c.checks(t)
}
