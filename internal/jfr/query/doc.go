// Package query reads and answers questions about the events of flight recordings. The language is the one in which
// the JDK's own jfr describes its views, with comparisons in addition to "=":
//
//	query      = [ "COLUMN" text { "," text } ] [ "FORMAT" format { "," format } ]
//	             "SELECT" ( "*" | item { "," item } ) "FROM" source { "," source }
//	             [ "WHERE" condition { "AND" condition } ]
//	             [ "GROUP" "BY" path { "," path } ] [ "ORDER" "BY" order { "," order } ] [ "LIMIT" number ]
//	item       = ( path | function "(" ( path | "*" ) ")" ) [ "AS" name ]
//	function   = AVG | COUNT | DIFF | FIRST | LAST | LAST_BATCH | LIST | MAX | MEDIAN | MIN | P90 | P95 | P99 | P999
//	             | SET | STDDEV | SUM | UNIQUE
//	source     = ( name { "." name } | "*" ) [ "AS" name ]
//	condition  = path ( "=" | "!=" | "<" | "<=" | ">" | ">=" | "CONTAINS" ) value
//	value      = text | number [ unit ] | "true" | "false"
//	order      = item [ "ASC" | "DESC" ]
//	path       = name { "." name }
//	format     = property { ";" property }
//	property   = "none" | "normalized" | "truncate-beginning" | "truncate-end" | "cell-height" ":" number
//	             | "missing" ":" word | "ms-precision" ":" number
//	unit       = "ns" | "us" | "ms" | "s" | "m" | "h" | "d" | "kB" | "MB" | "GB" | "%"
//
// A text is in single or double quotes. Words of the language may be written in any case; names of events and
// fields may not. The first name of a path may be the alias of a source: the path is then of the events of that source
// alone. Several sources may share an alias.
//
// Names that every event has in addition to its fields: startTime, endTime, duration, eventThread, stackTrace,
// eventType.name, eventType.label and eventType.id. Of a stack trace: topFrame, topApplicationFrame (the innermost
// frame of code that the bootstrap loader did not load), topNotInitFrame (the innermost frame outside of constructors).
// A number that identifies an event type leads to its name and label: id.eventType.label.
//
// Events are in the order of their end. Without GROUP BY a query with functions has one row, one without has a row
// for each event. With GROUP BY an item without a function is the first value of its group.
package query
