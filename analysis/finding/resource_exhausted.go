package finding

func Verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
