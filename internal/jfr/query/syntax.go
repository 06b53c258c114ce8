package query

import (
	"slices"
	"strings"
)

// Query is a parsed query.
type Query struct {
	// Items are the columns, nil for "*": all fields.
	Items   []Item
	Sources []Source
	Where   []Condition
	GroupBy []Path
	OrderBy []Order
	// Limit is how many rows are wanted, 0 for all.
	Limit int
}

// Item is a column: a field, or what a function makes of the field's values.
type Item struct {
	Function Function // empty for the value itself
	Path     Path     // nil for COUNT(*)
	Alias    string
	Title    string // from COLUMN, empty if there is none
	Format   Format
}

// Path is a field, and fields within it, from the outside. The first name may be an alias of sources.
type Path []string

func (p Path) String() string { return strings.Join(p, ".") }

// Source is a type of events, "*" for all, with the name that paths call it by.
type Source struct{ Type, Alias string }

// Order is a column to sort by: the alias of an item, or an item.
type Order struct {
	Item Item
	Desc bool
}

// Condition compares a field with a literal.
type Condition struct {
	Path     Path
	Operator string
	Value    Literal
}

// Literal is a constant of a condition.
type Literal struct {
	Text string
	// Number is the constant as a number, in nanoseconds or bytes if it has a unit.
	Number   float64
	IsNumber bool
}

// Format is how the values of a column are shown.
type Format struct {
	// Normalized shows each value as its share of the sum of the column.
	Normalized bool
	// FromBeginning cuts a long value at its beginning.
	FromBeginning bool
	// CellHeight is the number of lines of a cell, 0 for the usual one.
	CellHeight int
	// Missing stands for no value; nil is the usual word.
	Missing *string
	// Milliseconds is the number of decimals of a duration in milliseconds, -1 for the usual form.
	Milliseconds int
}

// Function makes one value of those of a column.
type Function string

// The functions.
const (
	Plain     Function = ""
	Avg       Function = "AVG"
	Count     Function = "COUNT"
	Diff      Function = "DIFF"
	First     Function = "FIRST"
	Last      Function = "LAST"
	LastBatch Function = "LAST_BATCH"
	List      Function = "LIST"
	Max       Function = "MAX"
	Median    Function = "MEDIAN"
	Min       Function = "MIN"
	P90       Function = "P90"
	P95       Function = "P95"
	P99       Function = "P99"
	P999      Function = "P999"
	Set       Function = "SET"
	StdDev    Function = "STDDEV"
	Sum       Function = "SUM"
	Unique    Function = "UNIQUE"
)

// Functions are the names of all functions, sorted.
func Functions() []Function {
	return []Function{
		Avg, Count, Diff, First, Last, LastBatch, List, Max, Median, Min, P90, P95, P99, P999, Set, StdDev, Sum, Unique,
	}
}

func isFunction(word string) bool {
	return slices.Contains(Functions(), Function(strings.ToUpper(word)))
}

// String is the item as one writes it, without its alias.
func (i Item) String() string {
	path := i.Path.String()
	if i.Path == nil {
		path = "*"
	}
	if i.Function == Plain {
		return path
	}
	return string(i.Function) + "(" + path + ")"
}

// same reports that two items are one column, whatever they are called.
func (i Item) same(other Item) bool { return i.String() == other.String() }

// Aggregates reports that a row stands for several events.
func (q *Query) Aggregates() bool {
	return len(q.GroupBy) > 0 || slices.ContainsFunc(q.Items, func(i Item) bool { return i.Function != Plain })
}
