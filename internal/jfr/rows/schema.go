package rows

import "strconv"

// schemaTable is the table of columns themselves.
func schemaTable() *Table {
	t := &Table{Event: "schema"}
	for _, name := range []string{eventColumn, "column", "type", "unit", "label", "description", "contextual"} {
		t.Columns = append(t.Columns, Column{Name: name, Type: "text"})
	}
	t.keys = keysOf(t.Columns)
	return t
}

// SchemaColumns are the names of what [Found.Schema] says of a column.
func SchemaColumns() []string {
	var names []string
	for _, c := range schemaTable().Columns {
		names = append(names, c.Name)
	}
	return names
}

// Schema writes a row for each column of each table.
func (f *Found) Schema(to Sink) error {
	schema := schemaTable()
	for _, t := range f.Tables {
		for _, c := range t.Columns {
			var cells []Cell
			for _, text := range []string{t.Event, c.Name, c.Type, c.Unit, c.Label, c.Description} {
				cell := Cell{Kind: Text, Plain: []byte(text)}
				if text == "" {
					cell = Cell{}
				}
				cells = append(cells, cell)
			}
			cells = append(cells, Cell{Kind: Bare, Plain: strconv.AppendBool(nil, c.Contextual)})
			if err := to.Row(schema, cells); err != nil {
				return err
			}
		}
	}
	return nil
}
