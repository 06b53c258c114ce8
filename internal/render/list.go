package render

import (
	"fmt"
	"io"
)

// ListRow is one JVM of `jstall list`. Unknown values are nil or empty and absent
// from the JSON, never zero.
type ListRow struct {
	PID int `json:"pid"`
	// NamespacePID is its pid in its innermost pid namespace, nil if that is the same pid.
	NamespacePID *int `json:"namespacePid,omitempty"`
	// MainClass is the main class, or the path of the jar.
	MainClass string `json:"mainClass,omitempty"`
	// JVM is the virtual machine's name, Version its Java version.
	JVM     string `json:"jvm,omitempty"`
	Version string `json:"version,omitempty"`
	User    string `json:"user,omitempty"`
	// UptimeSeconds and CPUSeconds count from the start of the process.
	UptimeSeconds *float64 `json:"uptimeSeconds,omitempty"`
	CPUSeconds    *float64 `json:"cpuSeconds,omitempty"`
	// CPUPercent is in percent of one core, over the requested interval.
	CPUPercent    *float64 `json:"cpuPercent,omitempty"`
	Threads       *int     `json:"threads,omitempty"`
	HeapUsedBytes *int64   `json:"heapUsedBytes,omitempty"`
	HeapMaxBytes  *int64   `json:"heapMaxBytes,omitempty"`
	// Container is a short id or name of the container, empty outside of one.
	Container string `json:"container,omitempty"`
	// Note says why a JVM cannot be inspected, or only in part.
	Note string `json:"note,omitempty"`
}

// ListJSON writes all rows as one document on one line:
// {"schema":3,"jvms":[…]}.
func ListJSON(w io.Writer, rows []ListRow, schema int) error {
	return writeJSON(w, struct {
		Schema int       `json:"schema"`
		JVMs   []ListRow `json:"jvms"`
	}{schema, list(rows)})
}

// List writes the rows as a table with notes under it. It leaves out columns without a known value.
func List(w io.Writer, rows []ListRow, o Options) error {
	var d document
	if len(rows) == 0 {
		d.line("", plain("no JVM found"))
		return writeText(w, &d, o)
	}
	d.table(listTable(rows))
	for _, row := range rows {
		if row.Note != "" {
			d.line("", plain(fmt.Sprintf("%d: ", row.PID)), plain(row.Note))
		}
	}
	return writeText(w, &d, o)
}

func listTable(rows []ListRow) table {
	t := table{columns: []column{
		{title: "PID", right: true},
		{title: "NSPID", right: true, optional: true, spare: true},
		{title: "MAIN CLASS", flexible: true},
		{title: "JAVA"},
		{title: "UP", right: true},
		{title: "CPU TIME", right: true, spare: true},
		{title: "CPU %", right: true, optional: true},
		{title: "THREADS", right: true},
		{title: "HEAP USED", right: true, optional: true},
		{title: "MAX", right: true, optional: true, spare: true},
		{title: "USER"},
		{title: "CONTAINER", optional: true},
	}}
	for _, r := range rows {
		t.add(
			plain(fmt.Sprint(r.PID)), plain(optInt(r.NamespacePID)), strong(orUnknown(r.MainClass)),
			plain(orUnknown(r.Version)), plain(optDuration(r.UptimeSeconds)), plain(optDuration(r.CPUSeconds)),
			plain(optPercent(r.CPUPercent)), plain(optInt(r.Threads)),
			plain(optBytes(r.HeapUsedBytes)), plain(optBytes(r.HeapMaxBytes)),
			plain(orUnknown(r.User)), plain(orUnknown(r.Container)),
		)
	}
	return t
}

func optInt(n *int) string {
	if n == nil {
		return unknown
	}
	return fmt.Sprint(*n)
}
