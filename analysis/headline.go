package analysis

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis/finding"
)

// headline is the title of the leading finding with the place of its first culprit, and what is to be said after it.
// Where that is too long the package of the place goes first, then those of the other classes, then the method, then
// the numbers of threads, then the place, then the last clause of the title.
func headline(lead *finding.Finding, after string) string {
	room := maxHeadline - len(StateOf(lead)) - len(": ") - utf8.RuneCountInString(after)
	for _, title := range []string{lead.Title, withoutLastClause(lead.Title)} {
		for _, text := range headlines(lead, title) {
			if text != "" && utf8.RuneCountInString(text) <= room {
				return text + after
			}
		}
	}
	return string([]rune(withoutPackages(lead.Title))[:room-1]) + "…" + after
}

// headlines are forms of a title with the place of the first culprit, the longest first.
func headlines(lead *finding.Finding, title string) []string {
	where, short := placeOf(lead), withoutPackages(title)
	all := []string{
		placed(lead, title, where),
		placed(lead, title, withoutPackages(where)),
		placed(lead, short, withoutPackages(where)),
	}
	patterns := withPatterns(short)
	_, line, _ := strings.Cut(strings.TrimSuffix(where, ")"), " (")
	return append(all, placed(lead, short, line), placed(lead, patterns, withoutPackages(where)),
		placed(lead, patterns, line), title, short, patterns, withShortNames(lead, short))
}

// shortName is how long the names of culprits are in a headline that has no room for longer ones.
const shortName = 24

// withShortNames has the names of the culprits so short, each with the place where it differs from the others.
func withShortNames(lead *finding.Finding, title string) string {
	names := make([]string, 0, len(lead.Culprits))
	for _, c := range lead.Culprits {
		names = append(names, c.Name)
	}
	if len(names) < 2 {
		return ""
	}
	for i, short := range finding.Distinct(names, shortName) {
		title = strings.ReplaceAll(title, finding.QuoteName(names[i])+lead.Culprits[i].Mark(), strconv.Quote(short)+
			lead.Culprits[i].Mark())
	}
	return title
}

// listPattern is two or more quoted names in a row.
var listPattern = regexp.MustCompile(`"[^"]*"(?:(?:, | and )"[^"]*")+`)

// withPatterns says `2 × "http-*"` for `"http-1" and "http-3"`.
func withPatterns(title string) string {
	return listPattern.ReplaceAllStringFunc(title, func(list string) string {
		names := strings.Split(strings.ReplaceAll(strings.Trim(list, `"`), `" and "`, `", "`), `", "`)
		for i := range names {
			names[i] = strings.TrimRight(names[i], "0123456789")
		}
		if names[0] == "" || len(slices.Compact(slices.Clone(names))) > 1 {
			return list
		}
		return fmt.Sprintf("%d × \"%s*\"", len(names), names[0])
	})
}

// withoutLastClause is a title up to its last semicolon.
func withoutLastClause(title string) string { return title[:max(0, strings.LastIndex(title, "; "))] }

// placeOf is where the first culprit is: "com.acme.Orders.place (Orders.java:30)", empty if unknown.
func placeOf(lead *finding.Finding) string {
	if len(lead.Culprits) == 0 {
		return ""
	}
	return strings.TrimPrefix(lead.Culprits[0].Where(), "at ")
}

// packagePattern is an article, if there is one, the package of a class, and the first letter of the class.
var packagePattern = regexp.MustCompile(`(^|[ ("])(an? )?(?:[a-z][a-z0-9_]*\.)+([A-Z])`)

// withoutPackages cuts the packages off the names of classes.
func withoutPackages(text string) string {
	return packagePattern.ReplaceAllStringFunc(text, func(found string) string {
		parts := packagePattern.FindStringSubmatch(found)
		before, article, class := parts[1], parts[2], parts[3]
		switch {
		case article == "":
		case strings.Contains("AEIO", class):
			article = "an "
		default:
			article = "a "
		}
		return before + article + class
	})
}

// waitVerb is the verb of a sentence on threads that wait.
var waitVerb = regexp.MustCompile(`\b(waits?|sleeps?)\b`)

// placed is a title with a place behind the threads that are there: behind the method if the title
// names it, else the name of the first culprit, else the verb if the culprits themselves wait. A title that
// names none of these stays without the place.
func placed(lead *finding.Finding, title, where string) string {
	if where == "" || title == "" {
		return "" // no form of its own
	}
	method, _, _ := strings.Cut(where, " (")
	for _, name := range []string{method, withoutPackages(method)} {
		if before, after, ok := strings.Cut(title, " "+name); ok && !continues(after) {
			return before + " " + where + after
		}
	}
	if before, name, after, ok := cutName(title, lead.Culprits[0]); ok {
		if before == "" && !strings.ContainsAny(after, ",;:\"") {
			return title + " in " + where
		}
		return before + name + " (in " + inBrackets(where) + ")" + after
	}
	if at := waitVerb.FindStringIndex(title); at != nil && culpritsWait(lead) {
		return title[:at[1]] + " in " + where + otherMethods(lead) + title[at[1]:]
	}
	return title
}

// otherMethods counts the methods of further culprits that are not the first one's: " and 2 other methods".
func otherMethods(lead *finding.Finding) string {
	methods := map[string]bool{}
	for _, c := range lead.Culprits {
		if method, _, _ := strings.Cut(c.Where(), " ("); method != "" {
			methods[method] = true
		}
	}
	if len(methods) < 2 {
		return ""
	}
	return " and " + finding.Counted(len(methods)-1, "other method")
}

// inBrackets is a place without its own brackets: "Orders.place, Orders.java:30".
func inBrackets(where string) string {
	return strings.TrimSuffix(strings.Replace(where, " (", ", ", 1), ")")
}

// continues reports that a name goes on: what was found is only its beginning.
func continues(after string) bool {
	return after != "" && !strings.ContainsAny(after[:1], " ,;:)")
}

// threadsPattern is several threads by the pattern of their names: `5 × "http-*"`.
var threadsPattern = regexp.MustCompile(`[0-9]+ × "([^"]*)\*([^"]*)"`)

// cutName splits a title around the name of a thread, or the pattern of several that has it.
func cutName(title string, of finding.ThreadRef) (before, found, after string, ok bool) {
	name := of.Name
	for _, quoted := range []string{of.Called(), finding.QuoteName(name)} {
		if before, after, ok := strings.Cut(title, quoted); ok {
			return before, quoted, after, true
		}
	}
	at := threadsPattern.FindStringSubmatchIndex(title)
	if at == nil || !strings.HasPrefix(name, title[at[2]:at[3]]) || !strings.HasSuffix(name, title[at[4]:at[5]]) {
		return "", "", "", false
	}
	return title[:at[0]], title[at[0]:at[1]], title[at[1]:], true
}

// culpritsWait reports that the threads which a finding names first are those that its title counts as
// waiting: it has no other victims, or they are the workers of an executor.
func culpritsWait(f *finding.Finding) bool {
	return len(f.Victims) == 0 || f.Kind == finding.KindExecutorSaturated
}
