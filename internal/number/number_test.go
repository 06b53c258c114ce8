package number

import "testing"

func TestNumbersOfAllLocales(t *testing.T) {
	for _, c := range []struct {
		text   string
		places int
		want   Decimal
	}{
		{"29.45", 2, Decimal{Whole: 29, Fraction: 45, Places: 2}},
		{"29,45", 2, Decimal{Whole: 29, Fraction: 45, Places: 2}},
		{"29٫45", 2, Decimal{Whole: 29, Fraction: 45, Places: 2}},
		{"٢٩٫٤٥", 2, Decimal{Whole: 29, Fraction: 45, Places: 2}},
		{"۲۹٫۴۵", 2, Decimal{Whole: 29, Fraction: 45, Places: 2}},
		{"२९.४५", 2, Decimal{Whole: 29, Fraction: 45, Places: 2}},
		{"1.234,50", 2, Decimal{Whole: 1234, Fraction: 50, Places: 2}},
		{"1,234.50", 2, Decimal{Whole: 1234, Fraction: 50, Places: 2}},
		{"1\u202f234,50", 2, Decimal{Whole: 1234, Fraction: 50, Places: 2}},
		{"1'234.50", 2, Decimal{Whole: 1234, Fraction: 50, Places: 2}},
		{"١٬٢٣٤٫٥٠", 2, Decimal{Whole: 1234, Fraction: 50, Places: 2}},
		{"12,34,567.89", 2, Decimal{Whole: 1234567, Fraction: 89, Places: 2}},
		{"1.234.567", 2, Decimal{Whole: 1234567}},
		{"4,993", 3, Decimal{Whole: 4, Fraction: 993, Places: 3}},
		{"0,123", 2, Decimal{Fraction: 123, Places: 3}},
		{"1,2", 0, Decimal{Whole: 1, Fraction: 2, Places: 1}},
		{"1.234", 2, Decimal{Whole: 1, Fraction: 234, Places: 3}},
		{"−5,5", 2, Decimal{Negative: true, Whole: 5, Fraction: 5, Places: 1}},
		{"\u200e-7", 0, Decimal{Negative: true, Whole: 7}},
		{"1\u00a0234", 0, Decimal{Whole: 1234}},
	} {
		if got, ok := Parse([]byte(c.text), c.places); !ok || got != c.want {
			t.Errorf("%q with %d places is %+v, %v; want %+v", c.text, c.places, got, ok, c.want)
		}
	}
}

// What may mean two numbers, or none, is not a number.
func TestNothingIsGuessed(t *testing.T) {
	for _, text := range []string{"", "-", ".", "1,234", "1,2,3", "1.2.3", "1..2", "5,", ",5", "1x", "1٫2٫3", "1٬23",
		"12345,678,901", "1 2", "0x1", "1e3", "99999999999999999999"} {
		if got, ok := Parse([]byte(text), 2); ok {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestScale(t *testing.T) {
	d, _ := Parse([]byte("133,44"), 2)
	if v, ok := d.Scale(1024); !ok || v != 136642 {
		t.Error(v, ok)
	}
	if v, ok := d.Scale(1 << 61); ok {
		t.Error(v)
	}
	if d.Float() != 133.44 {
		t.Error(d.Float())
	}
}

func TestLatin(t *testing.T) {
	if got := Latin("\u200f٢٠٢٦-١١-٢٧ ۲۳:५४"); got != "2026-11-27 23:54" {
		t.Errorf("%q", got)
	}
	if w, ok := Whole([]byte("٤٢")); !ok || w != 42 {
		t.Error(w, ok)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("1.234,56", 2)
	f.Add("٢٩٫٤٥", 2)
	f.Fuzz(func(t *testing.T, text string, places int) {
		d, ok := Parse([]byte(text), places)
		if ok && (d.Whole < 0 || d.Fraction < 0 || d.Places < 0 || d.Fraction > 0 && d.Fraction >= pow10(d.Places)) {
			t.Errorf("%q is %+v", text, d)
		}
		if v, fits := d.Scale(1 << 40); ok && fits && v < 0 && !d.Negative {
			t.Errorf("%q scales to %d", text, v)
		}
	})
}
