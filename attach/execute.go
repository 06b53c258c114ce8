package attach

import "context"

// Execute sends cmd to t and returns the whole answer. The error is an *Error;
// where the JVM itself refused the command, or ended after part of the answer,
// the Answer is there too.
func (c *Client) Execute(ctx context.Context, t Target, cmd Command) (*Answer, error) {
	if c.Timeout >= 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout())
		defer cancel()
	}
	answer, err := c.execute(ctx, t, cmd)
	if err != nil {
		return answer, err
	}
	return answer, nil
}
