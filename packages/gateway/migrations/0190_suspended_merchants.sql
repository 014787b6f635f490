-- A merchant that an operator has suspended: none of its apps is answered, also not one that it makes meanwhile.
ALTER TABLE merchants ADD COLUMN suspended boolean NOT NULL DEFAULT false;

-- Until now a merchant was suspended by switching off all of its apps. They stay off: which of them the merchant itself had
-- switched off before is not known. An operator who resumes it switches them on one by one.
UPDATE merchants m SET suspended = true
WHERE EXISTS (SELECT FROM apps a WHERE a.merchant_id = m.merchant_id)
  AND NOT EXISTS (SELECT FROM apps a WHERE a.merchant_id = m.merchant_id AND a.enabled);
