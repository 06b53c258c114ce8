package com.acme.accounts;

import java.util.HashMap;
import java.util.Map;
import org.apache.commons.lang3.concurrent.locks.LockingVisitors;

/** Balances in memory. Readers share the lock; a balance that is not there yet is loaded and stored. */
class AccountRepository {
    private final LockingVisitors.ReadWriteLockVisitor<Map<String, Long>> accounts =
            LockingVisitors.reentrantReadWriteLockVisitor(new HashMap<>());
    private final Ledger ledger;

    AccountRepository(Ledger ledger) {
        this.ledger = ledger;
    }

    void open(String iban, long cents) {
        accounts.acceptWriteLocked(map -> map.put(iban, cents));
    }

    long balance(String iban) {
        return accounts.applyReadLocked(map -> {
            Long cents = map.get(iban);
            return cents != null ? cents : loadMissing(iban);
        });
    }

    private long loadMissing(String iban) {
        long cents = ledger.sum(iban);
        open(iban, cents);
        return cents;
    }
}

/** The bookings of all accounts. */
class Ledger {
    long sum(String iban) {
        long sum = 0;
        for (char letter : iban.toCharArray()) {
            sum += letter * 100L;
        }
        return sum;
    }
}
