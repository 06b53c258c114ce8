package query

import (
	"fmt"
	"slices"
)

// maxLimit is the most rows that LIMIT may ask for.
const maxLimit = 1 << 30

// check refuses a query that can be read and has no meaning, and resolves what ORDER BY names by its alias.
func (q *Query) check() error {
	if q.Limit > maxLimit {
		return &SyntaxError{Problem: fmt.Sprintf("LIMIT is at most %d", maxLimit)}
	}
	if q.Items == nil && len(q.GroupBy) > 0 {
		return &SyntaxError{Problem: "SELECT * cannot be grouped", Hint: "name the columns"}
	}
	for i := range q.OrderBy {
		o := &q.OrderBy[i]
		if o.Item.Function == Plain && len(o.Item.Path) == 1 {
			if at := slices.IndexFunc(q.Items, func(s Item) bool { return s.Alias == o.Item.Path[0] }); at >= 0 {
				o.Item = q.Items[at]
			}
		}
		if o.Item.Function != Plain && !slices.ContainsFunc(q.Items, o.Item.same) && !q.Aggregates() {
			return &SyntaxError{Problem: fmt.Sprintf("ORDER BY %s needs GROUP BY", o.Item)}
		}
	}
	return nil
}
